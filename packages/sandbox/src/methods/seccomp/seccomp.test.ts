import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assemble, type Instruction, load } from './bpf.ts';
import { seccompFilter, seccompProgram } from './seccomp.ts';

interface Call {
  /** AUDIT_ARCH_*; default that of the filter. */
  readonly arch?: number;
  readonly nr: number;
  readonly args?: readonly number[];
}

const X64 = 0xc000003e;
const ARM64 = 0xc00000b7;
const I386 = 0x40000003;

/** What the kernel does with a filter (linux/Documentation/networking/filter.rst), over a struct seccomp_data. */
function decide(filter: Buffer, { arch = X64, nr, args = [] }: Call): string {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(nr, 0);
  data.writeUInt32LE(arch, 4);
  for (const [index, arg] of args.entries()) data.writeUInt32LE(arg >>> 0, 16 + 8 * index);
  let word = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const [code, ifTrue, ifFalse, operand] = [
      filter.readUInt16LE(at),
      filter[at + 2] ?? 0,
      filter[at + 3] ?? 0,
      filter.readUInt32LE(at + 4),
    ];
    if (code === 0x20) word = data.readUInt32LE(operand);
    else if (code === 0x15) at += 8 * (word === operand ? ifTrue : ifFalse);
    else if (code === 0x45) at += 8 * ((word & operand) !== 0 ? ifTrue : ifFalse);
    else if (code === 0x06)
      return (
        ({ 2147418112: 'allow', 2147483648: 'kill' } as Record<number, string>)[operand] ?? `errno ${operand & 0xffff}`
      );
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error('the filter has no end');
}

const media = seccompFilter({ architecture: 'x64', network: false, devices: false });
const fetching = seccompFilter({ architecture: 'x64', network: true, devices: false });
const devices = seccompFilter({ architecture: 'x64', network: false, devices: true });
const arm = seccompFilter({ architecture: 'arm64', network: false, devices: false });
const THREAD = 0x3d0f00; // what glibc passes for pthread_create
const FORK = 0x1200011; // CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID | SIGCHLD
const NEWUSER = 0x10000000;

const DECISIONS: [name: string, call: Call, media: string, fetching: string][] = [
  ['read', { nr: 0 }, 'allow', 'allow'],
  ['execve', { nr: 59 }, 'allow', 'allow'],
  ['a thread', { nr: 56, args: [THREAD] }, 'allow', 'allow'],
  ['a process', { nr: 56, args: [FORK] }, 'errno 1', 'allow'],
  ['a thread in a new user namespace', { nr: 56, args: [THREAD | NEWUSER] }, 'errno 1', 'errno 1'],
  ['a process in a new user namespace', { nr: 56, args: [FORK | NEWUSER] }, 'errno 1', 'errno 1'],
  ['vfork', { nr: 58 }, 'errno 1', 'allow'],
  ['clone3', { nr: 435 }, 'errno 38', 'errno 38'],
  ['socket of the internet', { nr: 41, args: [2] }, 'errno 1', 'allow'],
  ['socket of this machine', { nr: 41, args: [1] }, 'errno 1', 'errno 97'],
  ['packet socket', { nr: 41, args: [17] }, 'errno 1', 'errno 97'],
  ['connect', { nr: 42 }, 'errno 1', 'allow'],
  ['size of a terminal', { nr: 16, args: [1, 0x5413] }, 'allow', 'allow'],
  ['typing into a terminal (TIOCSTI)', { nr: 16, args: [1, 0x5412] }, 'errno 1', 'errno 1'],
  ['fallocate that makes a file larger', { nr: 285, args: [3, 0, 0, 4096] }, 'allow', 'allow'],
  ['fallocate beyond the reported size (KEEP_SIZE)', { nr: 285, args: [3, 1, 0, 4096] }, 'errno 1', 'errno 1'],
  ['symlink', { nr: 88 }, 'errno 1', 'allow'],
  ...Object.entries({
    ptrace: 101,
    mount: 165,
    umount2: 166,
    pivot_root: 155,
    chroot: 161,
    unshare: 272,
    setns: 308,
    keyctl: 250,
    add_key: 248,
    request_key: 249,
    bpf: 321,
    perf_event_open: 298,
    io_uring_setup: 425,
    userfaultfd: 323,
    process_vm_readv: 310,
    process_vm_writev: 311,
    pidfd_getfd: 438,
    open_by_handle_at: 304,
    mknodat: 259,
    init_module: 175,
    kexec_load: 246,
    chown: 92,
    fchownat: 260,
    'an unassigned number': 9_999,
    'read of the x32 ABI': 0x40000000,
  }).map(([name, nr]): [string, Call, string, string] => [name, { nr }, 'errno 1', 'errno 1']),
  ['a call of 32-bit code', { nr: 3, arch: I386 }, 'kill', 'kill'],
];

describe('system call filter', () => {
  for (const [name, call, forMedia, forFetching] of DECISIONS) {
    it(`${name}: ${forMedia} for media tools, ${forFetching} for downloaders`, () => {
      assert.deepEqual([decide(media, call), decide(fetching, call)], [forMedia, forFetching]);
    });
  }

  it('lets programs with devices ask drivers for anything, and nothing else that media tools may not', () => {
    const drm = 0xc0406400;
    assert.deepEqual(
      [decide(media, { nr: 16, args: [5, drm] }), decide(devices, { nr: 16, args: [5, drm] })],
      [...['errno 1', 'allow']],
    );
    const typing = { nr: 16, args: [1, 0x5412] };
    assert.equal(decide(devices, typing), 'errno 1', 'typing into a terminal');
    for (const [name, call, forMedia] of DECISIONS)
      if (call.nr !== 16) assert.equal(decide(devices, call), forMedia, name);
  });

  it('uses the numbers of arm64', () => {
    const on = (nr: number, ...args: number[]) => decide(arm, { arch: ARM64, nr, args });
    // read, openat, clone, ptrace, socket, unshare, clone3, io_uring_setup, fallocate of
    // include/uapi/asm-generic/unistd.h
    assert.deepEqual(
      [
        on(63),
        on(56),
        on(220, THREAD),
        on(220, FORK),
        on(117),
        on(198, 2),
        on(97),
        on(435),
        on(425),
        on(47, 3, 0),
        on(47, 3, 1),
      ],
      [
        'allow',
        'allow',
        'allow',
        'errno 1',
        'errno 1',
        'errno 1',
        'errno 1',
        'errno 38',
        'errno 1',
        'allow',
        'errno 1',
      ],
    );
    assert.equal(decide(arm, { arch: X64, nr: 63 }), 'kill');
  });

  it('is a valid program: no jump beyond its end, and not too long', () => {
    for (const network of [true, false]) {
      const program = seccompProgram({ architecture: 'x64', network, devices: false });
      for (const [index, { ifTrue, ifFalse }] of program.entries()) {
        const furthest = Math.max(ifTrue, ifFalse);
        if (furthest > 0) assert.ok(index + 1 + furthest < program.length);
      }
      assert.ok(program.length < 4_096);
    }
    assert.throws(() => assemble(Array.from({ length: 5_000 }, (): Instruction => load(0))), RangeError);
  });
});
