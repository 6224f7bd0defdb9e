import { useState } from 'react';
import { useSelection } from '../../lib/hooks/use-selection.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { DropZone } from '../../ui/drop-zone.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { POPOVER_ITEM, Popover } from '../../ui/popover.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { SelectionBar } from '../../ui/selection-bar.tsx';
import { TAB, TabRow } from '../../ui/tabs.tsx';
import { Section } from './section.tsx';

const nothing = (): void => {};

const UNITS = { DAY: 'Day', WEEK: 'Week', MONTH: 'Month' };

export function Fields() {
  const [unit, setUnit] = useState<keyof typeof UNITS>('DAY');
  return (
    <Section title="Fields" hint="A label above, a hint or an error below; an error says how to mend it.">
      <div className="card grid gap-5 p-5 sm:grid-cols-2 sm:p-6">
        <TextField label="Title" hint="At most 200 characters." defaultValue="Harbour at night" />
        <TextField label="Handle" error="Use letters, digits and hyphens only." defaultValue="harbour films" />
        <SelectField label="Language" defaultValue="en">
          <option value="en">English</option>
          <option value="de">German</option>
        </SelectField>
        <TextArea label="Description" rows={3} defaultValue="The lamps are lit at dusk." />
        <CheckField label="Allow downloads" hint="Viewers get the files of each size." defaultChecked />
        <SegmentedControl label="Unit" name="unit" options={UNITS} value={unit} onChange={setUnit} />
      </div>
      <DropZone label="Video file" className="py-8" onFile={nothing}>
        <p className="text-muted">Drop a file here.</p>
        <FileButton label="Video file" onFile={nothing} accept="video/*">
          Select a file
        </FileButton>
      </DropZone>
      <CodeBlock label="Command" copy="Copy command" code="curl -T harbour.mp4 https://video.example/uploads/u1" />
    </Section>
  );
}

const VIDEOS = ['Harbour at dawn', 'Harbour at night'] as const;

export function Lists() {
  const selection = useSelection();
  return (
    <Section title="Lists" hint="Tabs are links to views of one page; rows are selected for actions on several.">
      <TabRow label="Views">
        <li>
          <a href="#main" aria-current="page" className={TAB}>
            All
          </a>
        </li>
        <li>
          <a href="#main" className={TAB}>
            Unanswered
          </a>
        </li>
      </TabRow>
      <SelectionBar all={VIDEOS} selection={selection}>
        <Button>Change visibility</Button>
      </SelectionBar>
      <ul className="divide-y divide-line">
        {VIDEOS.map((title) => (
          <li key={title} className="py-3">
            <CheckField
              label={title}
              checked={selection.ids.has(title)}
              onChange={(event) => selection.set([title], event.currentTarget.checked)}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function Overlays() {
  const [open, setOpen] = useState(false);
  return (
    <Section title="Overlays" hint="A menu closes on a choice; a dialog keeps the focus, and returns it.">
      <div className="flex flex-wrap gap-3">
        <Popover label="More actions" face={<Icon name="more" />} align="start">
          <button type="button" className={POPOVER_ITEM}>
            <Icon name="edit" className="size-5" /> Edit
          </button>
          <button type="button" className={POPOVER_ITEM}>
            <Icon name="trash" className="size-5" /> Delete
          </button>
        </Popover>
        <Button onClick={() => setOpen(true)}>Open a dialog</Button>
      </div>
      <Confirm
        open={open}
        title="Delete video?"
        confirmLabel="Delete"
        onConfirm={async () => setOpen(false)}
        onClose={() => setOpen(false)}
      >
        <p>It stays in the trash for 30 days.</p>
      </Confirm>
    </Section>
  );
}
