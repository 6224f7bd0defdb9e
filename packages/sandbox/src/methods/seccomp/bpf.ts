/** One instruction of classic BPF (struct sock_filter, linux/filter.h): in order 16, 8, 8 and 32 bits. */
export interface Instruction {
  readonly code: number;
  /** Instructions to skip when the condition holds, and when not. */
  readonly ifTrue: number;
  readonly ifFalse: number;
  readonly operand: number;
}

const LOAD_WORD = 0x20; // BPF_LD | BPF_W | BPF_ABS
const JUMP_EQUAL = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
const JUMP_ANY_BIT = 0x45; // BPF_JMP | BPF_JSET | BPF_K
const RETURN = 0x06; // BPF_RET | BPF_K
const INSTRUCTION_BYTES = 8;
/** BPF_MAXINSNS. */
const MAX_INSTRUCTIONS = 4096;

/** Loads the 32-bit word at `offset` of the data under test. */
export function load(offset: number): Instruction {
  return { code: LOAD_WORD, ifTrue: 0, ifFalse: 0, operand: offset };
}

/** Ends the program with `value`. */
export function response(value: number): Instruction {
  return { code: RETURN, ifTrue: 0, ifFalse: 0, operand: value };
}

/** Runs `body` only if the loaded word equals `value`. */
export function ifEqual(value: number, body: readonly Instruction[]): Instruction[] {
  return [{ code: JUMP_EQUAL, ifTrue: 0, ifFalse: body.length, operand: value }, ...body];
}

/** Runs `body` unless the loaded word equals `value`. */
export function unlessEqual(value: number, body: readonly Instruction[]): Instruction[] {
  return [{ code: JUMP_EQUAL, ifTrue: body.length, ifFalse: 0, operand: value }, ...body];
}

/** Runs `body` only if the loaded word has none of the bits of `mask`. */
export function ifNoneOf(mask: number, body: readonly Instruction[]): Instruction[] {
  return [{ code: JUMP_ANY_BIT, ifTrue: body.length, ifFalse: 0, operand: mask }, ...body];
}

/** Runs `body` only if the loaded word has one of the bits of `mask`. */
export function ifAnyOf(mask: number, body: readonly Instruction[]): Instruction[] {
  return [{ code: JUMP_ANY_BIT, ifTrue: 0, ifFalse: body.length, operand: mask }, ...body];
}

/**
 * The program as the kernel reads it on a little-endian machine. @throws RangeError when it is too long, or a jump is.
 */
export function assemble(program: readonly Instruction[]): Buffer {
  if (program.length > MAX_INSTRUCTIONS)
    throw new RangeError(`A program of ${program.length} instructions is too long.`);
  const bytes = Buffer.alloc(program.length * INSTRUCTION_BYTES);
  for (const [index, { code, ifTrue, ifFalse, operand }] of program.entries()) {
    const at = index * INSTRUCTION_BYTES;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(ifTrue, at + 2);
    bytes.writeUInt8(ifFalse, at + 3);
    bytes.writeUInt32LE(operand, at + 4);
  }
  return bytes;
}
