import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { DEPLOY } from '../proxies/examples.ts';

/** What the examples use of a service of Compose. */
export interface ComposeService {
  readonly image: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly secrets?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly restart: string;
  readonly read_only: boolean;
  readonly tmpfs: readonly string[];
  readonly cap_drop: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt: readonly string[];
  readonly stop_grace_period?: string;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
  readonly networks?: Readonly<Record<string, unknown>>;
  readonly secrets?: Readonly<Record<string, { readonly file: string }>>;
}

/** A file as Compose reads it, with these variables in place of `${NAME}` and `${NAME:?message}`. */
export function readComposeFile(name: string, variables: Readonly<Record<string, string>>): ComposeFile {
  const text = readFileSync(join(DEPLOY, name), 'utf8').replace(/\$\{(\w+)(?::\?[^}]*)?\}/g, (_, variable: string) => {
    const value = variables[variable];
    if (value === undefined) throw new Error(`${name} uses ${variable}`);
    return value;
  });
  return parse(text, { merge: true, strict: true, uniqueKeys: true });
}

/** The commands in the comment at the beginning of a file, up to the one that starts it. */
export function commandsOf(name: string): string[] {
  const lines = readFileSync(join(DEPLOY, name), 'utf8').split('\n');
  const commands = lines.flatMap((line) => /^# {3}(.*)$/.exec(line)?.[1] ?? []);
  return commands.slice(
    0,
    commands.findIndex((command) => command.startsWith('docker compose')),
  );
}
