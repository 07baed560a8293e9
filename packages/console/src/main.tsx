import { createRoot } from 'react-dom/client';
import { ConsoleHub } from './live/console-hub.ts';
import { App } from './shell/app.tsx';
import { HubContext } from './shell/hub-context.ts';

const place = document.querySelector('#console');
if (place) {
  createRoot(place).render(
    <HubContext value={new ConsoleHub()}>
      <App />
    </HubContext>,
  );
}
