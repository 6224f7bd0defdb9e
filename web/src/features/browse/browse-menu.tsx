import { t } from '../../lib/i18n.ts';
import { Icon } from '../../ui/icons.tsx';
import { Popover } from '../../ui/popover.tsx';
import { BrowseLinks } from './main-nav.tsx';

/** The navigation as a menu in the header, for wide pages that have none at the side. */
export function BrowseMenu() {
  return (
    <Popover
      label={t`Browse`}
      align="start"
      face={<Icon name="menu" className="size-5.5" />}
      className="grid size-10 place-items-center rounded-full hover:bg-raised"
    >
      <nav aria-label={t`Browse`} className="w-52">
        <BrowseLinks />
      </nav>
    </Popover>
  );
}
