export const menuPopup =
  'enter min-w-52 max-w-80 rounded-[8px] border border-line bg-panel p-1 shadow-float outline-none max-h-[70vh] overflow-auto';
export const menuItem =
  'flex min-h-7 cursor-pointer items-center gap-2 rounded-[4px] px-2 py-1 text-body text-ink outline-none data-[highlighted]:bg-sunken';
