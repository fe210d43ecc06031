import { useLanguage } from '../words/language.ts';

/**
 * What the service says, which is English. On a page of another language `said` leads: what its code means there. The
 * service's own words, which name what is concerned, come after it.
 */
export function ServiceText({
  said,
  children,
  className = '',
}: {
  readonly said: string | undefined;
  readonly children: string;
  readonly className?: string;
}) {
  const isEnglish = useLanguage() === 'en';
  return (
    <div className={`break-words ${className}`}>
      {!isEnglish && said !== undefined && <p>{said}</p>}
      <p lang="en" className={!isEnglish && said !== undefined ? 'mt-0.5 text-ink2 text-meta' : ''}>
        {children}
      </p>
    </div>
  );
}
