-- The query everybody writes: clicks for each product shown, by ranker. It is wrong; README.md says why and by how much.
-- `places` has a row for each product of each list.
WITH RECURSIVE places(shown_at, visitor, ranker, product, rest) AS (
  SELECT shown_at, visitor, ranker, NULL, products || '|' FROM shown
  UNION ALL
  SELECT shown_at, visitor, ranker, substr(rest, 1, instr(rest, '|') - 1), substr(rest, instr(rest, '|') + 1)
  FROM places WHERE rest <> ''
)
SELECT p.ranker, count(a.at) * 1.0 / count(DISTINCT p.rowid_of_place) AS clicks_per_product
FROM (SELECT *, row_number() OVER () AS rowid_of_place FROM places WHERE product IS NOT NULL) AS p
LEFT JOIN actions AS a
  ON a.visitor = p.visitor AND a.product = p.product AND a.action = 'click'
  AND substr(a.at, 1, 13) = substr(p.shown_at, 1, 13)
GROUP BY p.ranker;
