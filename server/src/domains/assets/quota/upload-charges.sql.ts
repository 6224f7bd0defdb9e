/**
 * SQL that refunds the charges of videos that never became playable. `ended`: a relation of jobs that failed or were
 * cancelled.
 */
export function refundCharges(ended: string): string {
  return `delete from upload_charges u using ${ended}
     where u.video_asset_id = ${ended}.video_asset_id
       and not exists (select from video_assets v where v.id = u.video_asset_id and v.ready_at is not null)`;
}
