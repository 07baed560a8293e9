/** The run of a link that brings what is left of an agent: there is nobody at its end who could hear anything. */
export const NO_RUN = 'none';
