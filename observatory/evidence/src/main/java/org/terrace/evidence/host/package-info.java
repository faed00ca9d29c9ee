/** Watches a Linux host at tens of milliseconds: what its kernel withheld from whom, and when. */
package org.terrace.evidence.host;
