import { useState } from 'react';
import { locale, t } from '../../lib/i18n.ts';
import { LANGUAGES, type Language } from '../../lib/languages.ts';
import { useUser } from '../../lib/session.ts';
import { showToast } from '../../ui/toast.tsx';
import { chooseLanguage } from './language.ts';

/** The language of the application; a choice loads the page again in it. */
export function LanguageSelect() {
  const user = useUser();
  const [isBusy, setBusy] = useState(false);
  return (
    <select
      aria-label={t`Language`}
      value={locale}
      disabled={isBusy}
      onChange={(event) => {
        const language = event.currentTarget.value as Language;
        setBusy(true);
        chooseLanguage(language, Boolean(user))
          .catch((error: unknown) => {
            showToast({ text: error instanceof Error ? error.message : t`The language was not saved.` });
          })
          .finally(() => setBusy(false));
      }}
      className="min-h-9 rounded-lg bg-raised px-2 text-fore"
    >
      {Object.entries(LANGUAGES).map(([language, name]) => (
        <option key={language} value={language} lang={language}>
          {name}
        </option>
      ))}
    </select>
  );
}
