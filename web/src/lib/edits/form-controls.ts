import type { Entries, Shown } from './edit-fields.ts';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What the controls of a form say, for these names. */
export function readControls(form: HTMLFormElement, names: readonly string[]): Shown {
  const data = new FormData(form);
  return Object.fromEntries(names.map((name) => [name, data.getAll(name).map(String)]));
}

/** Sets the controls of a form, as if a person did: React learns of it. */
export function writeControls(form: HTMLFormElement, shown: Shown): void {
  for (const [name, entries] of Object.entries(shown))
    for (const control of controlsOf(form, name)) writeControl(control, entries);
}

/** The words for entries: the labels of options and boxes, otherwise the text itself. */
export function wordsOf(form: HTMLFormElement, name: string, entries: Entries): readonly string[] {
  const controls = controlsOf(form, name);
  return entries.map((entry) => {
    const box = controls.find((each) => isBox(each) && each.value === entry);
    const options = controls.flatMap((each) => (each instanceof HTMLSelectElement ? [...each.options] : []));
    const text = box?.labels?.[0]?.textContent ?? options.find(({ value }) => value === entry)?.textContent;
    return text?.trim() ?? entry;
  });
}

function controlsOf(form: HTMLFormElement, name: string): Control[] {
  return [...form.elements].filter(
    (each): each is Control =>
      (each instanceof HTMLInputElement || each instanceof HTMLTextAreaElement || each instanceof HTMLSelectElement) &&
      each.name === name,
  );
}

const isBox = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio');

function writeControl(control: Control, entries: Entries): void {
  if (isBox(control)) {
    if (control.checked !== entries.includes(control.value)) control.click();
    return;
  }
  const [value = ''] = entries;
  if (control.value === value) return;
  // React replaces the setter of the element, and ignores an event after its own.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value);
  control.dispatchEvent(new Event('input', { bubbles: true }));
  control.dispatchEvent(new Event('change', { bubbles: true }));
}
