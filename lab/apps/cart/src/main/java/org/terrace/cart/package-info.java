/** A shopping cart whose state every replica holds, and what puts load on it. */
@org.jspecify.annotations.NullMarked
package org.terrace.cart;
