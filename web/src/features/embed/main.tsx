import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../../lib/query.ts';
import { EmbedPage } from './embed-page.tsx';
import '@fontsource-variable/instrument-sans';
import '../../styles.css';

/**
 * The player alone, for frames on pages of other sites. It has no router and no buttons that change anything: whatever
 * page lies around it, there is nothing to trick a signed-in visitor into.
 */
const place = document.getElementById('player');
if (place) {
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <EmbedPage />
      </QueryClientProvider>
    </StrictMode>,
  );
}
