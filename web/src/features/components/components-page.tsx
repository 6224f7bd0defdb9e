import { Logo } from '../../ui/logo.tsx';
import { Toasts } from '../../ui/toast.tsx';
import { Buttons, Messages, Progresses } from './feedback.tsx';
import { Colors, Icons, Type } from './foundations.tsx';
import { Fields, Lists, Overlays } from './input.tsx';

/** Every component of `ui`, in each of its states, with the tokens it is made of. */
export function ComponentsPage() {
  return (
    <>
      <a href="#main" className="sr-only focus:not-sr-only">
        Skip to content
      </a>
      <main id="main" tabIndex={-1} className="mx-auto max-w-5xl space-y-12 px-4 py-10 sm:px-6">
        <header className="flex items-center gap-4">
          <Logo className="size-10" />
          <h1 className="text-3xl font-bold">Components</h1>
        </header>
        <Colors />
        <Type />
        <Icons />
        <Buttons />
        <Fields />
        <Messages />
        <Progresses />
        <Lists />
        <Overlays />
      </main>
      <Toasts />
    </>
  );
}
