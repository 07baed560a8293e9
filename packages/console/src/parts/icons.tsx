import type { ReactNode } from 'react';

function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

const path = (d: string) => () => (
  <Icon>
    <path d={d} />
  </Icon>
);

export const LinkIcon = path(
  'M8.5 11.5a3 3 0 0 0 4.2 0l3-3a3 3 0 0 0-4.2-4.2l-1 1M11.5 8.5a3 3 0 0 0-4.2 0l-3 3a3 3 0 0 0 4.2 4.2l1-1',
);
export const SplitIcon = path('M3.5 4.5h13v11h-13zM11 4.5v11');
export const MenuIcon = path('M3.5 6h13M3.5 10h13M3.5 14h13');
export const PlusIcon = path('M10 4v12M4 10h12');
export const CloseIcon = path('m5 5 10 10M15 5 5 15');
export const SendIcon = path('M10 16V4M5 9l5-5 5 5');
export const SearchIcon = path('M9 4a5 5 0 1 1 0 10A5 5 0 0 1 9 4zM12.7 12.7 16.5 16.5');
export const CopyIcon = path('M7.5 7.5h8v8h-8zM4.5 12.5v-8h8');
export const CheckIcon = path('m4.5 10.5 4 4 7-8');
export const DownIcon = path('M10 4v12m5-5-5 5-5-5');
export const UpIcon = path('M10 16V4m-5 5 5-5 5 5');
export const ChevronIcon = path('m8 5 5 5-5 5');
export const RestartIcon = path('M15.5 10a5.5 5.5 0 1 1-1.6-3.9M15.5 3.5v3h-3');
export const PencilIcon = path('M12.5 4.5l3 3L7 16H4v-3z');
export const ImageIcon = path('M3.5 4.5h13v11h-13zM3.5 13l4-4 4 4 2-2 3 3M12.5 8h.01');
export const BookmarkIcon = path('M5.5 3.5h9v13l-4.5-3.5-4.5 3.5z');
export const TerminalIcon = path('m4.5 6 4 4-4 4M10.5 14.5h5');
export const WarningIcon = path('M10 3.5 17.5 16h-15zM10 8.5v3.5M10 14.2v.1');

export function MoreIcon() {
  return (
    <Icon>
      {[5, 10, 15].map((x) => (
        <circle key={x} cx={x} cy="10" r="0.8" fill="currentColor" />
      ))}
    </Icon>
  );
}

export function StopIcon() {
  return (
    <Icon>
      <rect x="5.5" y="5.5" width="9" height="9" rx="1.5" fill="currentColor" />
    </Icon>
  );
}

/** The mark of the product: a semaphore's arm. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" className="logo-ground" />
      <path d="M8 10h10l6 4-6 4H8z" fill="#fff" />
      <rect x="8" y="8" width="3" height="17" rx="1.5" fill="#fff" />
    </svg>
  );
}
