/** Captures to TCP conversations. */
package org.terrace.wire;
