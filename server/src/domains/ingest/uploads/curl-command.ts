/**
 * The command that uploads `filename` from the current folder to `endpoint`, to be pasted into a POSIX shell. The name
 * may hold anything but NUL: it is quoted for the shell, `--globoff` keeps curl from reading [ ] { } in it as a
 * pattern, and `../../assets/` keeps a leading dash or a lone `-` from meaning an option or standard input.
 */
export function curlCommand(filename: string, endpoint: string): string {
  const path = /^[-.@]/.test(filename) ? `./${filename}` : filename;
  return `curl --fail-with-body --progress-bar --globoff -X PUT -T ${shellQuote(path)} ${shellQuote(endpoint)}`;
}

/** `text` as one word of a POSIX shell (POSIX.1-2017, Shell Command Language, 2.2.2 Single-Quotes). */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
