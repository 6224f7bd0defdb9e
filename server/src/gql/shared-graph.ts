import { Graph } from './graph.ts';

/** The graph of the platform: domains declare on it when their modules are loaded. */
export const graph = new Graph();
