/** Traffic of services of several tiers whose truth is known: who called whom, and for what. */
package org.terrace.testing.tiers;
