package org.terrace.cart;

import org.terrace.core.codec.FieldNumber;

/**
 * An item of the cart.
 *
 * @param count how many there are
 * @param object what is kept beside it, perhaps nothing
 */
public record CartItem(@FieldNumber(1) int count, @FieldNumber(2) byte[] object) {}
