-- Readings of the freezer above $1 degrees, the newest first
SELECT d.time, d.value AS temperature
FROM device('65a1000000000000000d0001') AS d
WHERE d.variable = 'temperature' AND d.value > $1
ORDER BY time DESC
LIMIT 20
