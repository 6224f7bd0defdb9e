import { type RefObject, useEffect, useRef } from 'react';
import type { PlayerController } from './controller.ts';
import { commandFor } from './shortcuts.ts';

const TYPING = 'input, textarea, select, [contenteditable="true"], dialog';
const PRESSABLE = 'button, a, summary, [role="menuitemradio"]';

/** Not repeated while a key is held. */
const ONCE = ['toggle', 'mute', 'fullscreen', 'pip', 'captions', 'theatre'];

interface PageCommands {
  readonly help: () => void;
  readonly theatre: (() => void) | undefined;
}

/** The shortcuts of the player, which work on the whole page, or while the focus is in `scope`; not while typing. */
export function usePageShortcuts(
  player: PlayerController | null,
  commands: PageCommands,
  wake: () => void,
  scope: RefObject<HTMLElement | null> | null,
): void {
  const page = useRef(commands);
  page.current = commands;
  useEffect(() => {
    if (!player) return;
    const onKeyDown = (event: globalThis.KeyboardEvent): void => {
      const target = event.target instanceof Element ? event.target : null;
      if (event.defaultPrevented || target?.closest(TYPING)) return;
      if (scope && !scope.current?.contains(target)) return;
      if (event.key === ' ' && target?.closest(PRESSABLE)) return;
      const command = commandFor(event);
      if (!command || (event.repeat && ONCE.includes(command.do))) return;
      if (command.do === 'theatre' && !page.current.theatre) return;
      event.preventDefault();
      wake();
      if (player.run(command)) return;
      if (command.do === 'theatre') page.current.theatre?.();
      else page.current.help();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [player, wake, scope]);
}
