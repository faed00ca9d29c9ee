/** What the programs of the soft-state applications share: flags, joining a group, samples. */
@org.jspecify.annotations.NullMarked
package org.terrace.cart.process;
