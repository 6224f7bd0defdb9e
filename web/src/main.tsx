import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startVisit } from './features/browse/card-reporter.ts';
import { queryClient } from './lib/query.ts';
import { leavePage } from './lib/traffic-source.ts';
import { createAppRouter } from './router.tsx';
import '@fontsource-variable/instrument-sans';
import './styles.css';

const container = document.getElementById('app');
if (container) {
  const router = createAppRouter();
  const first = location.pathname;
  router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
    if (fromLocation && pathChanged) leavePage(fromLocation.pathname);
  });
  router.subscribe('onRendered', ({ toLocation, hrefChanged }) => {
    if (hrefChanged) startVisit();
    document.getElementById('first-view')?.remove();
    // The page sets its own title now. The other meta tags from the server belong to the first page only.
    for (const title of document.querySelectorAll('title[data-page]')) title.remove();
    if (toLocation.pathname !== first) for (const element of document.querySelectorAll('[data-page]')) element.remove();
  });
  createRoot(container).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
