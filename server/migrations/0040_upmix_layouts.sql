-- Before, all were in 5.1.
update enhancements set input = '{"layout": "5.1"}' where kind = 'UPMIX';
