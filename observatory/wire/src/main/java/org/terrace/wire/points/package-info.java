/** Capture points: packets that several captures share, and the clocks that these reveal. */
package org.terrace.wire.points;
