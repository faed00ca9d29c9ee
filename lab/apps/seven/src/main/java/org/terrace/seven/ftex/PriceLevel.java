package org.terrace.seven.ftex;

import org.terrace.core.codec.FieldNumber;

/**
 * An order as the public sees it.
 *
 * @param centsEach its limit
 * @param shares what is left of it
 */
public record PriceLevel(@FieldNumber(1) int centsEach, @FieldNumber(2) int shares) {}
