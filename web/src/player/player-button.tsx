import { Icon } from '../ui/icons.tsx';

interface Properties {
  readonly name: string;
  readonly icon: Parameters<typeof Icon>[0]['name'];
  readonly onPress: () => void;
  readonly className?: string;
}

/** A button of the control bar, with a shortcut in its name. */
export function PlayerButton({ name, icon, onPress, className = '' }: Properties) {
  return (
    <button type="button" className={`player-button ${className}`} aria-label={name} title={name} onClick={onPress}>
      <Icon name={icon} className="size-5" />
    </button>
  );
}
