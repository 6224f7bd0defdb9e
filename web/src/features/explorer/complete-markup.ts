import { t } from '../../lib/i18n.ts';

/**
 * Adds what GraphiQL's markup lacks for keyboards and screen readers, now and after each change: names of the editors,
 * areas that can be scrolled by keys, and tabs as a list of buttons, because a tab may not contain another button.
 */
export function completeMarkup(container: HTMLElement): void {
  const all = <T extends HTMLElement>(selector: string): T[] => [...container.querySelectorAll<T>(selector)];
  const complete = (): void => {
    for (const field of all<HTMLTextAreaElement>('.CodeMirror textarea:not([aria-label])'))
      field.ariaLabel = field.closest('[aria-label]')?.ariaLabel ?? t`Editor`;
    for (const area of all('.CodeMirror-scroll[tabindex="-1"]')) area.tabIndex = 0;
    for (const list of all('.graphiql-tabs[role]')) list.removeAttribute('role');
    for (const tab of all('.graphiql-tab[role], .graphiql-tab[aria-selected]')) {
      tab.removeAttribute('role');
      tab.removeAttribute('aria-selected');
    }
    for (const tab of all('.graphiql-tab'))
      tab.querySelector('button')?.setAttribute('aria-current', String(tab.matches('.graphiql-tab-active')));
    for (const panel of all('[role="tabpanel"]')) panel.role = 'region';
  };
  const changes = { childList: true, subtree: true, attributeFilter: ['role', 'aria-selected'] };
  new MutationObserver(complete).observe(container, changes);
  complete();
}
