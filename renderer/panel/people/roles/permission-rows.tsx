import { Input, NumberInput, SegmentedControl, Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../../messages/messages.ts';
import { ChangedDot } from '../../../parts/forms/changed-dot.tsx';
import { SwitchRow } from '../../../parts/forms/switch-row.tsx';
import { AmountInput } from '../amount-input.tsx';
import { PeoplePicker } from '../people-picker.tsx';
import styles from '../user/user.module.css';
import { PERMISSION_GROUPS, type PermissionGroup, type Permissions } from './permissions.ts';

const ALL = '-ALL-';
const ADMIN_TYPES = ['none', 'simple', 'indep'] as const;
/** The placeholders in paths of new home folders. */
export const PLACEHOLDERS = {
  ...{ username: '{USERNAME}', name: '{NAME}' },
  ...{ email: '{EMAIL}', company: '{COMPANY}' },
} as const;

interface PermissionsProps {
  readonly values: Permissions;
  /** The stored values, to mark changes. */
  readonly saved: Permissions;
  readonly disabled: boolean;
  readonly onChange: (changes: Permissions) => void;
}

/** The switches of a group. */
export function PermissionRows({ group, ...props }: PermissionsProps & { readonly group: PermissionGroup }) {
  const { values, saved, disabled, onChange } = props;
  return PERMISSION_GROUPS[group].map((name) => {
    return (
      <SwitchRow
        key={name}
        label={t(`people.permissions.${name}.name`)}
        help={t(`people.permissions.${name}.help`)}
        field={`perms[${name}]`}
        checked={values[name] === true}
        isChanged={values[name] !== saved[name]}
        disabled={disabled}
        onChange={(checked) => onChange({ [name]: checked })}
      />
    );
  });
}

/** Quota and upload limit. */
export function Amounts({ usedBytes, ...props }: PermissionsProps & { readonly usedBytes: string | null }) {
  const { values, saved, disabled, onChange } = props;
  const amounts = [
    [
      'space_quota_max',
      t('people.user.fields.quota'),
      usedBytes === null ? t('people.user.fields.largestHelp') : t('people.user.fields.quotaHelp', { used: usedBytes }),
    ],
    ['upload_max_size', t('people.user.fields.largest'), t('people.user.fields.largestHelp')],
  ] as const;
  return (
    <div className={styles.pair}>
      {amounts.map(([name, label, help]) => (
        <AmountInput
          key={name}
          label={<Marked isChanged={values[name] !== saved[name]}>{label}</Marked>}
          help={help}
          value={Number(values[name] ?? 0)}
          disabled={disabled}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
    </div>
  );
}

export function AllowedTypes({ values, saved, disabled, onChange }: PermissionsProps) {
  return (
    <TextInput
      label={
        <Marked isChanged={values.upload_limit_types !== saved.upload_limit_types}>{t('people.limits.types')}</Marked>
      }
      description={t('people.limits.typesHelp')}
      spellCheck={false}
      disabled={disabled}
      value={String(values.upload_limit_types ?? '')}
      onChange={(event) => onChange({ upload_limit_types: event.currentTarget.value })}
    />
  );
}

export function MaySee(props: PermissionsProps) {
  return (
    <Scope {...props} name="users_may_see" label={t('people.limits.maySee')} help={t('people.limits.maySeeHelp')} />
  );
}

/** Administrative permissions and their scope. */
export function Administration(props: PermissionsProps) {
  const { values, saved, disabled, onChange } = props;
  const type = values.admin_type === 'simple' || values.admin_type === 'indep' ? values.admin_type : 'none';
  return (
    <>
      <Select
        label={<Marked isChanged={values.admin_type !== saved.admin_type}>{t('people.limits.adminType')}</Marked>}
        description={type === 'indep' ? t('people.limits.adminTypeHelp') : ''}
        allowDeselect={false}
        disabled={disabled}
        data={ADMIN_TYPES.map((value) => ({ value, label: t(`people.limits.adminTypes.${value}`) }))}
        value={type}
        onChange={(picked) => onChange({ admin_type: picked === 'none' ? null : picked })}
      />
      {type !== 'none' && (
        <>
          <PermissionRows {...props} group="administration" />
          {type === 'simple' && <Scope {...props} name="admin_over" label={t('people.limits.over')} help="" />}
          <NumberInput
            label={
              <Marked isChanged={values.admin_max_users !== saved.admin_max_users}>{t('people.limits.most')}</Marked>
            }
            description={t('people.limits.mostHelp')}
            min={0}
            max={1_000_000}
            allowDecimal={false}
            disabled={disabled}
            value={Number(values.admin_max_users ?? 0)}
            onChange={(value) => onChange({ admin_max_users: Number(value) || 0 })}
          />
          <TextInput
            label={
              <Marked isChanged={values.admin_homefolder_template !== saved.admin_homefolder_template}>
                {t('people.limits.template')}
              </Marked>
            }
            description={t('people.limits.templateHelp', PLACEHOLDERS)}
            spellCheck={false}
            disabled={disabled}
            value={String(values.admin_homefolder_template ?? '')}
            onChange={(event) => onChange({ admin_homefolder_template: event.currentTarget.value })}
          />
        </>
      )}
    </>
  );
}

interface ScopeProps extends PermissionsProps {
  readonly name: 'users_may_see' | 'admin_over';
  readonly label: string;
  readonly help: string;
}

/** Everybody, nobody, or selected people and groups. */
function Scope({ name, label, help, values, saved, disabled, onChange }: ScopeProps) {
  const value = String(values[name] ?? '');
  const kind = value === ALL ? 'all' : value === '' ? 'nobody' : 'some';
  return (
    <div className={styles.scope}>
      <Input.Wrapper
        label={<Marked isChanged={value !== String(saved[name] ?? '')}>{label}</Marked>}
        description={help}
        labelElement="div"
      >
        <SegmentedControl
          className={styles.choice ?? ''}
          aria-label={label}
          disabled={disabled}
          data={[
            { value: 'all', label: t('people.limits.all') },
            { value: 'nobody', label: t('people.limits.nobody') },
            { value: 'some', label: t('people.limits.some') },
          ]}
          value={kind}
          // Starts with the first person, because an empty list would mean nobody.
          onChange={(picked) => onChange({ [name]: picked === 'all' ? ALL : picked === 'nobody' ? '' : 'u1' })}
        />
      </Input.Wrapper>
      {kind === 'some' && (
        <PeoplePicker
          label={t('people.limits.people')}
          withGroups
          disabled={disabled}
          value={value.split(',')}
          onChange={(picked) => onChange({ [name]: picked.join(',') })}
        />
      )}
    </div>
  );
}

/** A label with a marker for unsaved changes. */
export function Marked({ isChanged, children }: { readonly isChanged: boolean; readonly children: ReactNode }) {
  return (
    <>
      {children}
      {isChanged && <ChangedDot />}
    </>
  );
}
