import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../../lib/query.ts';
import { ComponentsPage } from './components-page.tsx';
import '@fontsource-variable/instrument-sans';
import '../../styles.css';

/** The page of components, for development: `npm run components`. It is in no build. */
const container = document.getElementById('root');
if (container) {
  createRoot(container).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <ComponentsPage />
      </QueryClientProvider>
    </StrictMode>,
  );
}
