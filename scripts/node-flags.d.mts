/** How Node runs our programs; the reasons are with the value. */
export declare const NODE_FLAGS: readonly string[];
export declare const CHECK_FLAGS: readonly string[];
