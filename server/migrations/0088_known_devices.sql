-- Browsers are known by a random value in a cookie, no longer by their name. browser_hash: HMAC of the account with it.
-- The first sign-in of an account afterwards is not reported, like that of a new one.
delete from known_browsers;
