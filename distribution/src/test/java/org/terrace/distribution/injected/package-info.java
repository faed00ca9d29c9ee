/** Servers of others with faults put into them, against what is found about them. */
@NullMarked
package org.terrace.distribution.injected;

import org.jspecify.annotations.NullMarked;
