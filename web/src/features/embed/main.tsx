import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../../lib/query.ts';
import { EmbedPage } from './embed-page.tsx';
import '@fontsource-variable/instrument-sans';
import '../../styles.css';

/**
 * The embeddable player, for iframes on other sites. It has no router and no buttons that change data, so that the page
 * around it cannot trick a signed-in visitor into anything.
 */
const container = document.getElementById('player');
if (container) {
  createRoot(container).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <EmbedPage />
      </QueryClientProvider>
    </StrictMode>,
  );
}
