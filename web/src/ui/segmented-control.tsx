interface Properties<Value extends string> {
  readonly label: string;
  readonly name: string;
  readonly options: Readonly<Record<Value, string>>;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A segmented control: radio buttons styled as a row of buttons. */
export function SegmentedControl<Value extends string>({ label, name, options, value, onChange }: Properties<Value>) {
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{label}</legend>
      <div className="flex flex-wrap gap-1">
        {(Object.entries(options) as [Value, string][]).map(([option, text]) => (
          <label
            key={option}
            className={
              'cursor-pointer rounded-lg px-3 py-1.5 text-sm font-medium text-muted ' +
              'hover:text-fore has-checked:bg-raised has-checked:text-fore ' +
              'has-focus-visible:outline-2 has-focus-visible:outline-accent-text'
            }
          >
            <input
              type="radio"
              name={name}
              value={option}
              checked={option === value}
              onChange={() => onChange(option)}
              className="sr-only"
            />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
