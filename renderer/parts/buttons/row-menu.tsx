import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import styles from '../table.module.css';

interface RowMenuProps {
  /** Names the row for screen readers. */
  readonly label: string;
  readonly items: readonly { readonly word: string; readonly run: () => void; readonly isDanger?: boolean }[];
}

/** The actions of a row. Destructive ones come last, after a separator. */
export function RowMenu({ label, items }: RowMenuProps) {
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={30} aria-label={label}>
          <IconDots size={18} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {items
          .filter(({ isDanger = false }) => !isDanger)
          .map(({ word, run }) => (
            <Menu.Item key={word} onClick={run}>
              {word}
            </Menu.Item>
          ))}
        {items.some(({ isDanger }) => isDanger) && items.some(({ isDanger = false }) => !isDanger) && <Menu.Divider />}
        {items
          .filter(({ isDanger = false }) => isDanger)
          .map(({ word, run }) => (
            <Menu.Item key={word} className={styles.danger ?? ''} onClick={run}>
              {word}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}
