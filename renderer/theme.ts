import {
  Anchor,
  Button,
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  Input,
  type MantineColorsTuple,
  Modal,
  Paper,
  PasswordInput,
  Switch,
  Table,
  Tooltip,
} from '@mantine/core';
import { cssVariables, fonts, scales, shadows } from './tokens.ts';

const tuple = (scale: readonly string[]) => scale as unknown as MantineColorsTuple;
const em = (pixels: number) => `${pixels / 16}em`;

export const theme = createTheme({
  primaryColor: 'bay',
  primaryShade: { light: 8, dark: 4 },
  autoContrast: true,
  luminanceThreshold: 0.3,
  colors: { bay: tuple(scales.bay), gray: tuple(scales.gray), dark: tuple(scales.dark) },
  white: '#FFFFFF',
  black: '#1C211D',
  fontFamily: fonts.text,
  fontFamilyMonospace: fonts.mono,
  fontSmoothing: true,
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.333', sm: '1.385', md: '1.429', lg: '1.5', xl: '1.4' },
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  headings: {
    fontFamily: fonts.text,
    fontWeight: '600',
    textWrap: 'pretty',
    sizes: {
      h1: { fontSize: '22px', lineHeight: '28px' },
      h2: { fontSize: '16px', lineHeight: '24px' },
      h3: { fontSize: '15px', lineHeight: '22px' },
      h4: { fontSize: '14px', lineHeight: '20px' },
    },
  },
  spacing: { xs: '4px', sm: '8px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '5px', sm: '8px', md: '10px', lg: '12px', xl: '16px' },
  defaultRadius: 'sm',
  shadows: { xs: 'none', sm: shadows.card.light, md: shadows.dialog.light },
  focusRing: 'auto',
  cursorType: 'pointer',
  respectReducedMotion: true,
  breakpoints: { xs: em(480), sm: em(720), md: em(900), lg: em(1200), xl: em(1600) },
  variantColorResolver(input) {
    const resolved = defaultVariantColorsResolver(input);
    const { primaryColor } = input.theme;
    // The library computes the text colour only once, for light mode.
    if (input.variant === 'filled' && (input.color ?? primaryColor) === primaryColor) {
      return { ...resolved, color: 'var(--larder-on-bay)' };
    }
    // For destructive actions in dialogs.
    if (input.variant === 'danger') {
      return {
        background: 'var(--larder-danger)',
        hover: 'var(--larder-danger)',
        color: 'var(--larder-on-danger)',
        border: '1px solid transparent',
      };
    }
    return resolved;
  },
  components: {
    // Panel controls are 36 high, those in rows 30, buttons of the first run 40.
    Button: Button.extend({
      defaultProps: { size: 'md' },
      vars: (_, { size }) => ({
        root: {
          '--button-height': size === 'xs' ? '30px' : size === 'lg' ? '40px' : '36px',
          '--button-fz': size === 'xs' ? '13px' : '14px',
          '--button-padding-x': size === 'xs' ? '12px' : size === 'lg' ? '20px' : '16px',
        },
      }),
    }),
    Input: Input.extend({
      defaultProps: { size: 'md' },
      vars: () => ({ wrapper: { '--input-height': '36px', '--input-fz': '14px' } }),
    }),
    InputWrapper: Input.Wrapper.extend({
      defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'], withAsterisk: false },
      vars: () => ({
        label: { '--input-label-size': '14px', '--input-asterisk-color': 'inherit' },
        error: { '--input-error-size': '13px' },
        success: { '--input-success-size': '13px' },
        description: { '--input-description-size': '13px' },
      }),
    }),
    PasswordInput: PasswordInput.extend({ defaultProps: { visibilityToggleFocusable: true } }),
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    Paper: Paper.extend({ defaultProps: { radius: 'lg' } }),
    Modal: Modal.extend({
      defaultProps: {
        centered: true,
        radius: 'xl',
        shadow: 'md',
        overlayProps: { color: 'var(--larder-backdrop)', backgroundOpacity: 1 },
        transitionProps: { duration: 180, timingFunction: 'ease-out' },
      },
    }),
    Switch: Switch.extend({ defaultProps: { size: 'sm', withThumbIndicator: false } }),
    Table: Table.extend({ defaultProps: { highlightOnHover: true } }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 400 } }),
  },
});

/** Every token as a CSS variable, and Mantine's variables set to them. */
export const variablesOf: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--larder-surface)',
    '--mantine-color-text': 'var(--larder-ink)',
    '--mantine-color-dimmed': 'var(--larder-ink3)',
    '--mantine-color-error': 'var(--larder-danger)',
    '--mantine-color-anchor': 'var(--larder-bay)',
    '--mantine-color-placeholder': 'var(--larder-ink3)',
    '--mantine-color-default': 'var(--larder-surface)',
    '--mantine-color-default-color': 'var(--larder-ink)',
    '--mantine-color-default-border': 'var(--larder-line2)',
    '--mantine-color-disabled': 'var(--larder-sunken)',
    '--mantine-color-disabled-color': 'var(--larder-ink3)',
    '--mantine-color-bay-filled': 'var(--larder-bay)',
    '--mantine-color-bay-filled-hover': 'var(--larder-bay-hover)',
    '--mantine-color-bay-light-color': 'var(--larder-bay)',
    '--mantine-color-bay-light-hover': 'var(--larder-hover)',
    '--mantine-shadow-sm': 'var(--larder-shadow-card)',
    '--mantine-shadow-md': 'var(--larder-shadow-dialog)',
  };
  return {
    variables: {},
    light: { ...cssVariables('light'), ...shared, '--mantine-color-default-hover': 'var(--larder-canvas)' },
    dark: { ...cssVariables('dark'), ...shared, '--mantine-color-default-hover': 'var(--larder-line)' },
  };
};
