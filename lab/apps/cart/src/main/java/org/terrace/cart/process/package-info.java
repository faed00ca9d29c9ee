/** The common parts of the soft-state applications' programs: flags, joining a group, samples. */
@org.jspecify.annotations.NullMarked
package org.terrace.cart.process;
