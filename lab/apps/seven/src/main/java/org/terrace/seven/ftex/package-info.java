/** FTEX: a stock exchange with limit and market orders, matched by price and time. */
@org.jspecify.annotations.NullMarked
package org.terrace.seven.ftex;
