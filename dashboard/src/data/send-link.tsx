import { Link } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { buttonClass } from '../kit/button.tsx';
import { useWords } from '../words/words.ts';
import { dataWords } from './words.ts';

export function SendLink() {
  const w = useWords(dataWords);
  return (
    <Link to="/data/send" className={buttonClass('primary')}>
      <Upload size={14} aria-hidden="true" />
      {w.send}
    </Link>
  );
}
