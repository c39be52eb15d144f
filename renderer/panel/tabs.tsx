import { addressOf, type Route, useRoute } from '../control/routes.ts';
import styles from './tabs.module.css';

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly route: Route; readonly name: string; readonly count?: number | undefined }[];
}

/** The tabs of a page: each has its own address. */
export function Tabs({ label, tabs }: TabsProps) {
  const now = useRoute();
  return (
    <nav aria-label={label} className={styles.tabs}>
      {tabs.map(({ route, name, count }) => (
        <a key={route} href={addressOf(route)} {...(route === now ? { 'aria-current': 'page' as const } : {})}>
          {name}
          {count !== undefined && <span>{count}</span>}
        </a>
      ))}
    </nav>
  );
}
