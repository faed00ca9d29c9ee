/**
 * A log on disk: appended in groups, checksummed, cut where it is torn, dropped from its old end.
 */
package org.terrace.recovery.log;
