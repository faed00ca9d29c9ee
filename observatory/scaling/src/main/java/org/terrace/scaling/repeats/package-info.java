/** Means of repeated trials, with intervals that borrow strength from one another. */
package org.terrace.scaling.repeats;
