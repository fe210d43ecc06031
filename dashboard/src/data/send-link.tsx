import { Link } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { Allowed } from '../kit/allowed.tsx';
import { buttonClass } from '../kit/button.tsx';
import { useWords } from '../words/words.ts';
import { dataWords } from './words.ts';

export function SendLink() {
  const w = useWords(dataWords);
  return (
    <Allowed permission="upload_files" label={w.send}>
      <Link to="/data/send" className={buttonClass('primary')}>
        <Upload size={14} aria-hidden="true" />
        {w.send}
      </Link>
    </Allowed>
  );
}
