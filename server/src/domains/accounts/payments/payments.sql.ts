/** SQL: whether the account (as SQL) has a customer at the payment provider. */
export function hasCustomer(accountId: string): string {
  return `exists (select 1 from payment_customers p where p.account_id = ${accountId})`;
}
