import { createRoot } from 'react-dom/client';
import { ConsoleHub } from './live/console-hub.ts';
import { App } from './view/app.tsx';
import { HubContext } from './view/hub-context.ts';

const place = document.querySelector('#console');
if (place) {
  createRoot(place).render(
    <HubContext value={new ConsoleHub()}>
      <App />
    </HubContext>,
  );
}
