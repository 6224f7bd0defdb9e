-- The accent color that operators chose; see server/src/kernel/accent-color.ts.
alter table instance_settings add column accent_color text check (accent_color ~ '^#[0-9a-f]{6}$');
