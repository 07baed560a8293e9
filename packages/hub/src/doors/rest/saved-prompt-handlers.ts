import type { savedPromptRoutes } from '@signalbox/protocol/hub/routes';
import type { SavedPromptService } from '../../service/saved-prompt-service.ts';
import type { HandlersOf } from './handler.ts';

export function savedPromptHandlers(prompts: SavedPromptService): HandlersOf<typeof savedPromptRoutes> {
  return {
    'GET /api/saved-prompts': async ({ device }) => ({ items: await prompts.list(device) }),
    'POST /api/saved-prompts': ({ device, body }) => prompts.save(device, body),
    'DELETE /api/saved-prompts': ({ device, query }) => prompts.remove(device, query.name),
  };
}
