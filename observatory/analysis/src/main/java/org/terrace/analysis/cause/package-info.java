/** The causes of each server's stalls, ranked over all of them, and the part nothing explains. */
package org.terrace.analysis.cause;
