import { GraphiQL, type GraphiQLProps } from 'graphiql';
import { createRoot } from 'react-dom/client';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { completeMarkup } from './complete-markup.ts';
import { addressOf, apiVersions, versionIn } from './versions.ts';
import 'graphiql/style.css';
import './explorer.css';

/** The API explorer for signed-in browsers. Requests use the session cookie; no key is ever in the page. */
const START = `# ${t`Browse the schema in the documentation panel on the left.`}
# ${t`Ctrl-Space autocompletes, Ctrl-Enter runs the query.`}
query Start {
  verifyConnection {
    authenticated
    user { username }
    channel { id name }
    subscription { plan state }
    permissions
  }
}
`;

const version = versionIn(location.pathname);
const address = addressOf(version);

const fetcher: GraphiQLProps['fetcher'] = async (parameters) => {
  const response = await fetch(address, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    credentials: 'same-origin',
    body: JSON.stringify(parameters),
  });
  // The session has ended: sign in again and return to the explorer.
  if (response.status === 401) location.replace(`/sign-in?next=${encodeURIComponent(address)}`);
  return response.json();
};

/** Another version is another page: its schema, and its history in the browser. */
function VersionMenu() {
  const [current, ...others] = apiVersions();
  if (current === undefined) return null;
  return (
    <label className="explorer-version">
      <span>{`${t`Version`} `}</span>
      <select defaultValue={version} onChange={({ target }) => location.assign(addressOf(target.value))}>
        <option value="">{t`Current (${current})`}</option>
        {[current, ...others].map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}

const container = document.getElementById('explorer');
if (container) {
  createRoot(container).render(
    <GraphiQL fetcher={fetcher} defaultQuery={START} isHeadersEditorEnabled={false} shouldPersistHeaders={false}>
      <GraphiQL.Logo>
        <h1 className="explorer-home">
          <a href="/">{siteName()}</a>
          <span>{` ${t`API explorer`}`}</span>
        </h1>
        <VersionMenu />
      </GraphiQL.Logo>
    </GraphiQL>,
  );
  completeMarkup(container);
}
